import { join } from 'node:path'
import type { Program } from '@sealpost/process/build'

/** The server of the web apps. */
export const webProgram: Program = {
  name: 'web',
  entries: { main: join(import.meta.dirname, '../src/main.ts') },
  assets: [],
  external: [],
}
