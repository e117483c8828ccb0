# core: plain
$ ompdb stack TARGET
$ ompdb stack --raw
$ ompdb stack --raw --exe /nonexistent TARGET
