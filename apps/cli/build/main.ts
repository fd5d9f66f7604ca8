import { buildFromCommandLine } from '@sealpost/sdk/publish'
import { cliPackage } from './cli-package.ts'

// `npm run build -w @sealpost/cli [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
await buildFromCommandLine(cliPackage)
