export type { RunMessages, RunsContext } from './context.ts'
export { runsMigrations } from './migrations.ts'
export {
  cancelRunsOf,
  deleteDueData,
  deleteRunsOfService,
  levelChanged,
  tidyRunFiles,
} from './operations/run-hooks.ts'
export { bindRunRoutes } from './routes/index.ts'
export { listRunObjects } from './store/files.ts'
