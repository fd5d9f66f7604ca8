export { buildFromCommandLine, buildPackage, describePackage } from './build-package.ts'
export type { Published } from './published.ts'
export { sdkPackage } from './sdk-package.ts'
