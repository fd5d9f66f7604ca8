import { wordsFor } from '@sealpost/ui'
import type { WebAppWords } from './en.ts'

export const useWebAppWords = wordsFor<WebAppWords>()
