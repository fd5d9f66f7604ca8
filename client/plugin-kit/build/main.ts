import { join, resolve } from 'node:path'
import { buildPackage, describePackage } from '@sealpost/sdk/publish'

const kit = { folder: 'client/plugin-kit', entries: { index: 'index' }, settings: ['tsconfig.build.json'] }

// `npm run build -w @sealpost/plugin-kit [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
const [folder] = process.argv.slice(2)
const into = folder === undefined ? join(import.meta.dirname, '../dist') : resolve(folder)
await buildPackage(kit, into)
for (const line of describePackage(into)) process.stdout.write(`${line}\n`)
