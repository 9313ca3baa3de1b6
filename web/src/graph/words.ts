// The words of kinds and relations, which the page brings with its data (graph/web/relations.py).

export type Shape = "entity" | "activity" | "agent" | "key";

export interface KindWords {
  one: string;
  many: string;
  shape: Shape;
  /** The class in RDF. */
  type: string;
  /** The label and the key of the kind's nodes in the graph database. */
  label: string;
  key: string;
  /** The folder of the kind's pages. */
  folder: string | null;
  /** Whether a name leads to things of the kind; others are known as neighbours alone. */
  named: boolean;
}

export interface RelationWords {
  later: string;
  relation: string;
  earlier: string;
  onward: string;
  back: string;
  term: string;
  /** A pattern of Cypher between `x` and `y`, or a property of `x` that has the key of `y`. */
  pattern: string;
  isInverse: boolean;
}

export class Words {
  private readonly byEnds: Map<string, RelationWords>;

  constructor(
    readonly kinds: Record<string, KindWords>,
    relations: readonly RelationWords[],
  ) {
    this.byEnds = new Map(relations.map((words) => [ends(words.later, words.relation, words.earlier), words]));
  }

  kind(name: string): KindWords {
    const words = this.kinds[name];
    if (!words) throw new Error(`the page has no words for things of kind ${name}`);
    return words;
  }

  relation(later: string, relation: string, earlier: string): RelationWords {
    const words = this.byEnds.get(ends(later, relation, earlier));
    if (!words) throw new Error(`the page has no words for ${later} ${relation} ${earlier}`);
    return words;
  }

  /** Return the kinds of the earlier things of a relation. */
  earlierKinds(later: string, relation: string): string[] {
    return [...this.byEnds.values()].filter((one) => one.later === later && one.relation === relation).map((one) => one.earlier);
  }
}

function ends(later: string, relation: string, earlier: string): string {
  return `${later} ${relation} ${earlier}`;
}
