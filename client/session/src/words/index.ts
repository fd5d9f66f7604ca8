import { wordsFor } from '@sealpost/ui'
import type { SessionWords } from './en/index.ts'

export const useSessionWords = wordsFor<SessionWords>()
