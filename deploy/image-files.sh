#!/bin/sh
# Puts the files of the image into FOLDER/root, which root owns, and FOLDER/user, which the user petstore owns:
# sh deploy/image-files.sh EXECUTABLE FOLDER. The Dockerfile and the test of the image run it.
set -eu
executable=$1 root=$2/root user=$2/user

install -D -m 755 "$executable" "$root/usr/local/bin/petstore"
install -D -m 644 "${executable%/*}/licenses.txt" "$root/usr/local/share/petstore/licenses.txt"
# Its shared libraries and their loader, at the paths where the kernel and the loader look for them.
ldd "$executable" | grep -o '/[^ ]*' | while read -r file; do
	install -D -m 755 "$file" "$root$file"
done

mkdir -p "$root/etc" "$root/tmp" "$user/data"
chmod 1777 "$root/tmp"
chmod 700 "$user/data"
echo 'petstore:x:10001:10001::/data:/nonexistent' >"$root/etc/passwd"
echo 'petstore:x:10001:' >"$root/etc/group"
