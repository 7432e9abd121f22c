/** What a request in free text fills in of a form, by the keys of its inputs. */
export type Filled = { request: string; inputs: Readonly<Record<string, string>> };
