export { bundledForNode, type NodeBundle } from './bundled-for-node.ts'
export { webConfig, type WebApp } from './web-config.ts'
