// The record of a verification: every check with its name, its result and a sentence, for a page to show.

import { asVerificationError, MissingError, VerificationError } from "./errors";

/**
 * One check: `sentence` says what was found, or what is wrong. A check with `isOpen` could not be made, and has not
 * passed: the sentence names the key or the file that is missing.
 */
export interface Check {
  readonly check: string;
  readonly passed: boolean;
  readonly sentence: string;
  readonly isOpen?: true;
}

/**
 * The checks of one file, in their order. `notChecked` are properties that were not checked and `remarks` facts that
 * hold and that a reader should know, each a sentence.
 */
export interface Report {
  readonly checks: readonly Check[];
  readonly notChecked: readonly string[];
  readonly remarks: readonly string[];
}

/** Records checks while a verification runs. */
export class Reporter implements Report {
  readonly checks: Check[] = [];
  readonly notChecked: string[] = [];
  readonly remarks: string[] = [];
  private readonly errors: VerificationError[] = [];

  /** Run a check; `say` makes the sentence of a result. A check that fails is recorded and ends the verification. */
  async run<T>(check: string, step: () => T | Promise<T>, say: string | ((result: T) => string)): Promise<T> {
    try {
      const result = await step();
      this.pass(check, typeof say === "string" ? say : say(result));
      return result;
    } catch (error) {
      throw this.record(check, error);
    }
  }

  /** Run a check on which no later one rests: one that fails is recorded, and `finish` raises it. */
  async attempt(check: string, step: () => unknown, sentence: string): Promise<boolean> {
    try {
      await step();
      this.pass(check, sentence);
      return true;
    } catch (error) {
      const recorded = this.record(check, error);
      if (!(recorded instanceof VerificationError)) throw recorded;
      return false;
    }
  }

  pass(check: string, sentence: string): void {
    this.checks.push({ check, passed: true, sentence });
  }

  /** Record a failed check without ending the verification. */
  fail(check: string, sentence: string): void {
    this.record(check, new VerificationError(check, sentence));
  }

  /** Name a property that is not checked. */
  skip(sentence: string): void {
    this.notChecked.push(sentence);
  }

  /** Name a fact that holds, and that a reader should know. */
  remark(sentence: string): void {
    this.remarks.push(sentence);
  }

  /** Throw the first error that was recorded, if there is one. */
  finish(): void {
    if (this.errors[0] !== undefined) throw this.errors[0];
  }

  /** Record an error as a failed check, once, and return it as a VerificationError if it is one. */
  record(check: string, error: unknown): unknown {
    const failed = asVerificationError(check, error);
    if (failed instanceof VerificationError && !this.errors.includes(failed)) {
      this.errors.push(failed);
      const open = failed instanceof MissingError ? { isOpen: true as const } : {};
      this.checks.push({ check: failed.check, passed: false, sentence: failed.message, ...open });
    }
    return failed;
  }
}

/** Return the report of a verification: a failing check is part of it, and no error. */
export async function report(verification: (reporter: Reporter) => unknown): Promise<Report> {
  const reporter = new Reporter();
  try {
    await verification(reporter);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    reporter.record(error.check, error);
  }
  return reporter;
}

/** Say whether every check passed, and there is one. */
export function passes(found: Report): boolean {
  return found.checks.length > 0 && found.checks.every((one) => one.passed);
}

/** Say whether a check was made and failed. */
export function fails(found: Report): boolean {
  return failedChecks(found).length > 0;
}

/** Return the checks that were made and failed. */
export function failedChecks(found: Report): Check[] {
  return found.checks.filter((one) => !one.passed && !one.isOpen);
}
