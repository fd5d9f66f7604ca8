import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program } from '@sealpost/process/build'

const SOURCE = join(import.meta.dirname, '../src')

/** The region and its commands. */
export const regionProgram: Program = {
  name: 'region',
  entries: {
    main: join(SOURCE, 'main.ts'),
    migrate: join(SOURCE, 'commands/migrate.ts'),
    operate: join(SOURCE, 'commands/operate/main.ts'),
    doctor: join(SOURCE, 'commands/doctor/main.ts'),
    restored: join(SOURCE, 'commands/restored.ts'),
    'thread-main': fileURLToPath(import.meta.resolve('@sealpost/http/thread-main')),
    'check-main': join(SOURCE, 'modules/flows/checks/check-main.ts'),
    'evaluate-main': join(SOURCE, 'modules/runs/evaluation/evaluate-main.ts'),
    'decode-main': fileURLToPath(import.meta.resolve('@sealpost/images/decode-main')),
    'pdf-main': fileURLToPath(import.meta.resolve('@sealpost/pdf/pdf-main')),
  },
  assets: [],
  // Fonts are found as files of their packages.
  external: ['@napi-rs/image', 'harfbuzzjs'],
}
