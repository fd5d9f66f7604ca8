/** The operations that the routes of flows call, for programs that call them without HTTP. */
export type { FlowsContext } from '../context.ts'
export { createFlow } from '../operations/drafts.ts'
export { publishFlow } from '../operations/publish-flow.ts'
export { parseFlowName } from '../operations/read-published.ts'
