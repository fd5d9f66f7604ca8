import { renderGeneratedFiles } from '@sealpost/sdk/generated'
import type { Files } from './committed.ts'
import { errorsPage } from './errors-page.ts'
import { openApiFiles } from './open-api-files.ts'
import { settingsOfApps } from './settings-of-apps.ts'
import { settingsPage } from './settings-page.ts'

/** Every generated file with its text. */
export function generatedFiles(): Files {
  return new Map([
    ...openApiFiles(),
    ['docs/errors.md', errorsPage()],
    ['docs/settings.md', settingsPage(settingsOfApps)],
    ...renderGeneratedFiles().map(({ path, text }) => [path, text] as const),
  ])
}
