#!/bin/sh
# Puts the files of the image into a folder: sh deploy/image-files.sh EXECUTABLE FOLDER. The Dockerfile and the test of the image run it.
set -eu
executable=$1 image=$2

install -D -m 755 "$executable" "$image/usr/local/bin/petstore"
# The libraries that it is linked with and what loads them, at the paths where the kernel and the loader look for them.
ldd "$executable" | grep -o '/[^ ]*' | while read -r file; do
	install -D -m 755 "$file" "$image$file"
done

mkdir -p "$image/etc" "$image/data" "$image/tmp" "$image/proc"
chmod 700 "$image/data"
chmod 1777 "$image/tmp"
echo 'petstore:x:10001:10001::/data:/nonexistent' >"$image/etc/passwd"
echo 'petstore:x:10001:' >"$image/etc/group"
