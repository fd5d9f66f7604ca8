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
}
