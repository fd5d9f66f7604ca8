export { openInformation } from './module.ts'
