/* Standard output of a program on an AVR goes to the serial line, and the program's end stops the simulator. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>

static int put(char character, FILE *stream)
{
    UDR0 = character;
    return 0;
}

static FILE console = FDEV_SETUP_STREAM(put, 0, _FDEV_SETUP_WRITE);

__attribute__((constructor)) static void begin(void)
{
    UCSR0B = 1 << TXEN0;
    stdout = &console;
}

__attribute__((destructor)) static void end(void)
{
    cli();
    sleep_enable();
    sleep_cpu();
}
