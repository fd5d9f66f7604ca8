import { createContext, use } from 'react'
import type { UiWords } from './ui/en.ts'

export const UiWordsContext = createContext<UiWords | null>(null)

export function useUiWords(): UiWords {
  const words = use(UiWordsContext)
  if (words === null) throw new Error('controls are used outside of the provider of words')
  return words
}
