import { fileURLToPath } from 'node:url'
import type { Program } from '@sealpost/process/build'

/** What companies install. Bundled, because a program that imports the sources spends a second on reading them. */
export const sdkProgram: Program = {
  name: 'sdk',
  entries: {
    index: fileURLToPath(import.meta.resolve('@sealpost/sdk')),
    'file-store': fileURLToPath(import.meta.resolve('@sealpost/sdk/file-store')),
    login: fileURLToPath(import.meta.resolve('@sealpost/sdk/login')),
    webhooks: fileURLToPath(import.meta.resolve('@sealpost/sdk/webhooks')),
  },
  assets: [],
  external: [],
}

/** What authors of plugins install. */
export const pluginKitProgram: Program = {
  name: 'plugin-kit',
  entries: { index: fileURLToPath(import.meta.resolve('@sealpost/plugin-kit')) },
  assets: [],
  external: [],
}

export const commandProgram: Program = {
  name: 'command',
  entries: { sealpost: fileURLToPath(import.meta.resolve('@sealpost/cli/main')) },
  assets: [],
  external: [],
}
