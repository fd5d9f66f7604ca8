export { type ForwarderPeer, sealMessage, startForwarderPeer } from './peer.ts'
export type { StoredPlugin } from './region-end.ts'
