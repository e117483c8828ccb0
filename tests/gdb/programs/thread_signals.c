/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals to one thread and to another, with a handler. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t handled;
static volatile int count;

static void handler(int number)
{
	count += number == SIGUSR1 ? 1 : 10; /* MARK: handler */
	sem_post(&handled);
}

static void *wait_here(void *argument)
{
	sigset_t all;
	int got;

	sigemptyset(&all);
	sigaddset(&all, SIGTERM);
	sigwait(&all, &got); /* MARK: sigwait */
	return argument;     /* MARK: waited */
}

static void send(pthread_t to, int number)
{
	pthread_kill(to, number); /* MARK: send */
	while (sem_wait(&handled) != 0)
		continue;
}

int main(void)
{
	pthread_t thread;
	sigset_t term;

	sem_init(&handled, 0, 0);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, 0);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	pthread_create(&thread, 0, wait_here, 0); /* MARK: create */
	send(thread, SIGUSR1);                    /* MARK: to_thread */
	send(pthread_self(), SIGUSR2);            /* MARK: to_self */
	pthread_kill(thread, SIGTERM);            /* MARK: end_thread */
	pthread_join(thread, 0);
	return count; /* MARK: last */
}
