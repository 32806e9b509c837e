/** Preload of the program: a container of MEMORY_MIB, whatever the machine has. */
const bytes = Number(process.env['MEMORY_MIB']) * 1024 * 1024;
process.constrainedMemory = () => bytes;
