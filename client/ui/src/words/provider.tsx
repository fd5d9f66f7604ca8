import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { keepLanguage, type Language } from './language.ts'
import { UiWordsContext } from './ui-words.ts'
import type { UiWords } from './ui/en.ts'

/** The catalogs of an app: its own words and those of the controls. */
export interface Catalog<AppWords> {
  readonly app: AppWords
  readonly ui: UiWords
}

export type Catalogs<AppWords> = Readonly<Record<Language, () => Promise<Catalog<AppWords>>>>

interface Spoken<AppWords> {
  readonly language: Language
  readonly catalog: Catalog<AppWords>
}

const Context = createContext<(Spoken<unknown> & { readonly choose: (language: Language) => Promise<void> }) | null>(
  null,
)

function useSpoken() {
  const spoken = use(Context)
  if (spoken === null) throw new Error('words are used outside of their provider')
  return spoken
}

export function useLanguage() {
  const { language, choose } = useSpoken()
  return { language, choose }
}

/** The words of the app that a library needs. The words of an app are typed so that they `satisfies` those of each library. */
export function wordsFor<Words>(): () => Words {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one page has one app, whose words the compiler has checked
  return () => useSpoken().catalog.app as Words
}

/** The words of one app: a provider above its pages, and the hook that they use. */
export function createWords<AppWords>(catalogs: Catalogs<AppWords>) {
  function WordsProvider({ first, children }: { readonly first: Spoken<AppWords>; readonly children: ReactNode }) {
    const [spoken, setSpoken] = useState(first)
    useEffect(() => {
      document.documentElement.lang = spoken.language
    }, [spoken])
    const choose = async (language: Language): Promise<void> => {
      const catalog = await catalogs[language]()
      keepLanguage(language)
      setSpoken({ language, catalog })
    }
    return (
      <Context value={{ ...spoken, choose }}>
        <UiWordsContext value={spoken.catalog.ui}>{children}</UiWordsContext>
      </Context>
    )
  }

  return {
    WordsProvider,
    /** Loaded before the first page is drawn. */
    loadWords: async (language: Language): Promise<Spoken<AppWords>> => ({
      language,
      catalog: await catalogs[language](),
    }),
    useWords: wordsFor<AppWords>(),
  }
}
