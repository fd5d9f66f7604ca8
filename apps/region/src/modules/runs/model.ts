import type { Brand } from '@sealpost/kernel'

/** The handle of a file of a run; never a path. */
export type FileHandle = Brand<string, 'FileHandle'>
