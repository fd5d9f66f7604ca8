import { join, resolve } from 'node:path'
import { buildPackage, describePackage } from './build-package.ts'

const sdk = {
  folder: 'client/sdk',
  entries: { index: 'index', 'file-store': 'file-store/index', webhooks: 'webhooks/index' },
  settings: ['tsconfig.build.json', 'tsconfig.build-node.json'],
}

// `npm run build -w @sealpost/sdk [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
const [folder] = process.argv.slice(2)
const into = folder === undefined ? join(import.meta.dirname, '../dist') : resolve(folder)
await buildPackage(sdk, into)
for (const line of describePackage(into)) process.stdout.write(`${line}\n`)
