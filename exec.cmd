@rem Runs its arguments. The scripts of package.json begin with "exec", which POSIX shells have; on Windows cmd.exe finds this file.
@%*
