export type { Pass, Passes } from './model.ts'
export { openPasses } from './module.ts'
