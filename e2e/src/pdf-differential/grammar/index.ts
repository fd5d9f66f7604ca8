import { appearanceKinds } from './appearance.ts'
import { contentKinds } from './contents.ts'
import { inkKinds } from './ink.ts'
import type { Kind } from './kind.ts'
import { streamKinds } from './streams.ts'
import { structureKinds } from './structure.ts'

export type { Kind } from './kind.ts'

export const kinds: readonly Kind[] = [
  ...structureKinds,
  ...contentKinds,
  ...streamKinds,
  ...appearanceKinds,
  ...inkKinds,
]
