@rem What bin/petstore is for POSIX shells. cmd.exe cannot be replaced by the program, so it waits.
@node "%~dp0petstore.cjs" %*
