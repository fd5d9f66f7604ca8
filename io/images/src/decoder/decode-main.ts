import { buffer } from 'node:stream/consumers'
import { readHeader } from '../header/header.ts'
import { packPhoto } from './frames.ts'
import { redraw } from './redraw.ts'

/** The decoder process: a file on stdin, the redrawn photo on stdout; an empty stdout means failure. */
const header = readHeader(await buffer(process.stdin))
const drawn = header.ok ? redraw(header.value) : null
if (drawn !== null) process.stdout.write(packPhoto(drawn))
