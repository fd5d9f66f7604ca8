import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Sdk from '@sealpost/sdk'
import type * as FileStore from '@sealpost/sdk/file-store'
import type * as Webhooks from '@sealpost/sdk/webhooks'

interface Parts {
  readonly index: typeof Sdk
  readonly 'file-store': typeof FileStore
  readonly webhooks: typeof Webhooks
}

/** From the folder in `SDK`, bundled as companies install it: a process that is often restarted starts faster with it. */
export async function importSdk<Name extends keyof Parts>(name: Name): Promise<Parts[Name]> {
  const file = join(process.env['SDK'] ?? '', `${name}.js`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bundled from these sources
  return (await import(pathToFileURL(file).href)) as Parts[Name]
}
