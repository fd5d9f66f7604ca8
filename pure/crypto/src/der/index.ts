export { type DerElement, octetsOf, readElements, TAG, unsignedOf } from './reader.ts'
export * from './writer.ts'
