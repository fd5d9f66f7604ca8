export type { Builtins } from './model.ts'
export { openBuiltins } from './module.ts'
