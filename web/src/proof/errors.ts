// The errors of this folder.
//
//   Error
//   ├── FormatError          bytes or text that cannot be read as the format at hand
//   └── VerificationError    a check that fails: `check` is its name, the message a sentence
//       └── MissingError     a check that cannot be made without a key or a file that is not here
//
// A reader of a format does not know in which check it is used, so `within` gives a FormatError its check.

export class FormatError extends Error {
  override readonly name = "FormatError";
}

export class VerificationError extends Error {
  override readonly name = "VerificationError";
  readonly check: string;

  constructor(check: string, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.check = check;
  }
}

/** Nothing is verified without the check, so that it ends a verification as a failed check does. */
export class MissingError extends VerificationError {}

/** Run one step of a verification; a FormatError in it becomes the VerificationError of this check. */
export async function within<T>(check: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asVerificationError(check, error);
  }
}

/** Return the error as it is, or as the VerificationError of this check if it is a FormatError. */
export function asVerificationError(check: string, error: unknown): unknown {
  return error instanceof FormatError ? new VerificationError(check, error.message, { cause: error }) : error;
}

/** Run one step; an error of it names the place before its sentence. */
export async function placed<T>(place: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const options = { cause: error };
    if (error instanceof FormatError) throw new FormatError(`${place}: ${error.message}`, options);
    if (error instanceof MissingError) throw new MissingError(error.check, `${place}: ${error.message}`, options);
    if (error instanceof VerificationError) throw new VerificationError(error.check, `${place}: ${error.message}`, options);
    throw error;
  }
}

/** Return a text for an error message: at most `most` characters, in quotes. */
export function shown(text: string, most = 80): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most - 1)}…` : text);
}
