import { buildFromCommandLine } from './build-package.ts'
import { sdkPackage } from './sdk-package.ts'

// `npm run build -w @sealpost/sdk [-- FOLDER]`: writes the package to `dist` or to a folder, ready for `npm pack`.
await buildFromCommandLine(sdkPackage)
