export { openAuthorize } from './module.ts'
