import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Where Node keeps the compiled sources of workers and of the processes that they start: it spares a start a third of its
 * CPU time. Node tells versions and checkouts apart and forgets nothing, so this is in a folder that the system empties.
 */
export const COMPILE_CACHE = join(tmpdir(), `sealpost-compile-cache-${userInfo().uid}`)
