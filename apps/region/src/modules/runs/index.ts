export { openRuns, type RunsContext, type RunsHooks, runsMigrations } from './module.ts'
export { forgetRuns, listPartyKeys, listRunFileObjects, listRunSignatures } from './customer-side/index.ts'
export { cancelByCopy, lockRunOfCopy, moveLine } from './signing/index.ts'
export {
  cancelRunsOf,
  deleteRunsOfService,
  flowsOfRunsThatNeed,
  hasRuns,
  levelChanged,
  listKeysOfRuns,
  listRunObjects,
  listRunsOfOwner,
} from './service-side/index.ts'
