# prog: odd_names  hide: system
$ ompdb stack --raw TARGET
$ ompdb stack --raw --json --max-frames 1 TARGET
