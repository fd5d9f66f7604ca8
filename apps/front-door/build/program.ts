import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program } from '@sealpost/process/build'

const SOURCE = join(import.meta.dirname, '../src')
const LOGIN_PAGE = join(SOURCE, 'modules/authorize/page')
const DOCS_PAGES = join(SOURCE, 'modules/information/page')

/** The front door and its commands. */
export const frontDoorProgram: Program = {
  name: 'front-door',
  entries: {
    main: join(SOURCE, 'main.ts'),
    migrate: join(SOURCE, 'commands/migrate.ts'),
    restored: join(SOURCE, 'commands/restored.ts'),
    'thread-main': fileURLToPath(import.meta.resolve('@sealpost/http/thread-main')),
  },
  assets: [
    ...['login-script.generated.js', 'page.css'].map((file) => join(LOGIN_PAGE, file)),
    ...['icon.svg', 'logo.svg', 'information.css'].map((file) => join(DOCS_PAGES, file)),
  ],
  external: ['@fastify/swagger-ui'],
}
