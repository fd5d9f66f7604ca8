import type { Options } from 'minisearch'

export declare const SEARCH_OPTIONS: Options
