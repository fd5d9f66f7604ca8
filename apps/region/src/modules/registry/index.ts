export type { RegistryContext, RegistryHooks } from './context.ts'
export { registryMigrations } from './migrations.ts'
export type { ContactField } from './model.ts'
export { openRegistry } from './module.ts'
export {
  deleteContactFields,
  findContactField,
  listContactFields,
  lockContactFieldForShare,
} from './operations/fields.ts'
export { addTypes, listTypeRows, loadRegistry, TypesRefused } from './operations/types.ts'
export { mayFill } from './rules/fields.ts'
export { platformFields } from './rules/platform-fields.ts'
