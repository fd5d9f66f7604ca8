import type { PaperContent } from '../../worker/commands/papers.ts'
import { fileKind } from './file-kind.ts'

/** Whether what is decided about stands on the page. */
export type Sight =
  | { readonly state: 'opening' }
  | { readonly state: 'shown'; readonly pages: number | null }
  /** It cannot be drawn here. */
  | { readonly state: 'unshown' }

export const OPENING: Sight = { state: 'opening' }
export const SHOWN: Sight = { state: 'shown', pages: null }
export const UNSHOWN: Sight = { state: 'unshown' }

/** Before anything of it was drawn. */
export function firstSight(content: PaperContent): Sight {
  if (content.kind === 'json') return SHOWN
  const kind = fileKind(content.mimeType)
  if (kind === 'text') return SHOWN
  return kind === 'other' ? UNSHOWN : OPENING
}

/** Nothing is signed or accepted that was neither drawn nor saved. */
export function mayDecide({ state }: Sight, isSaved: boolean): boolean {
  return state === 'shown' || (state === 'unshown' && isSaved)
}
