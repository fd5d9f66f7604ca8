export type { FlowId, FlowName, FlowVersion } from './model.ts'
export { type FlowsContext, flowsMigrations, openFlows } from './module.ts'
export {
  deleteAssetsOfService,
  deleteFlowsOfService,
  listAssetObjects,
  type TemplateReader,
} from './service-side/index.ts'
