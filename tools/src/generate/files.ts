import { commandsPage } from '@sealpost/cli'
import {
  API_VERSION,
  type ApiDocument,
  apiDocumentNames,
  forwarderOperations,
  openApiDocument,
} from '@sealpost/protocol'
import { renderGeneratedFiles } from '@sealpost/sdk/generated'
import type { Files } from './committed.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { settingsOfApps } from './settings-of-apps.ts'
import { settingsPage } from './settings-page.ts'
import { styleTypes } from './style-types.ts'
import { whatStaysPage } from './what-stays-page.ts'

/** Every generated file with its text. */
export function generatedFiles(): Files {
  return new Map([
    ...openApiFiles(),
    ['docs/commands.md', commandsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/events.md', eventsPage()],
    ['docs/settings.md', settingsPage(settingsOfApps)],
    ['docs/what-stays.md', whatStaysPage()],
    ...styleTypes(),
    ...renderGeneratedFiles().map(({ path, text }) => [path, text] as const),
  ])
}

/** The committed documents have placeholders for addresses; the front door serves them with its own. */
export function openApiFiles(): readonly (readonly [path: string, text: string])[] {
  const forwarder = openApiDocument('forwarder', { version: API_VERSION, operations: forwarderOperations })
  const served = apiDocumentNames.map((name) => [name, openApiDocument(name, { version: API_VERSION })] as const)
  return [...served, ['forwarder', forwarder] as const].map(([name, document]) => [
    openApiFile(name),
    `${JSON.stringify(document, null, 2)}\n`,
  ])
}

export function openApiFile(document: ApiDocument): string {
  return `docs/api/${document}.json`
}
