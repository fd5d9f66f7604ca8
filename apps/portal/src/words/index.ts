import { createWords } from '@sealpost/ui'
import type { Words } from './en/index.ts'

export const { WordsProvider, loadWords, useWords } = createWords<Words>({
  en: async () => {
    const [{ words }, { uiWords }] = await Promise.all([import('./en/index.ts'), import('@sealpost/ui/words/en')])
    return { app: words, ui: uiWords }
  },
  de: async () => {
    const [{ words }, { uiWords }] = await Promise.all([import('./de/index.ts'), import('@sealpost/ui/words/de')])
    return { app: words, ui: uiWords }
  },
})
