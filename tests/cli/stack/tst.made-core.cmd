# core: threads
$ ompdb stack --raw TARGET
$ ompdb stack --raw --json TARGET
$ ompdb stack --raw --max-frames 2 TARGET
