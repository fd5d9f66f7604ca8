import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program } from '@sealpost/process/build'

const SOURCE = join(import.meta.dirname, '../src')

export const forwarderProgram: Program = {
  name: 'forwarder',
  entries: {
    main: join(SOURCE, 'main.ts'),
    'thread-main': fileURLToPath(import.meta.resolve('@sealpost/http/thread-main')),
  },
  assets: [],
  external: [],
  // It keeps 30 MB alive, and up to three times the bodies in flight (INFLIGHT_PROCESS_MB). Without a limit V8 lets
  // garbage grow with the memory of the machine.
  flags: ['--max-old-space-size=256', '--max-semi-space-size=8'],
}
