export type { FlowId, FlowName, FlowVersion } from './model.ts'
export { type FlowsContext, flowsMigrations, openFlows } from './module.ts'
export { deleteFlowsOfService } from './service-side/index.ts'
