import { buildFromCommandLine } from '@sealpost/sdk/publish'
import { kitPackage } from './kit-package.ts'

// `npm run build -w @sealpost/plugin-kit [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
await buildFromCommandLine(kitPackage)
