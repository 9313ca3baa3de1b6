// Reads PROV documents with ProvToolbox, and says of each whether it is valid and how many records it has.
//
// Arguments: files, whose names end in provn, json or jsonld. One line a file: its name, VALID or what is wrong, and the
// number of records, bundles' own included; a file that cannot be read is UNREADABLE.

import java.io.FileInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.openprovenance.prov.interop.InteropFramework;
import org.openprovenance.prov.model.Bundle;
import org.openprovenance.prov.model.Document;
import org.openprovenance.prov.model.QualifiedName;
import org.openprovenance.prov.model.StatementOrBundle;
import org.openprovenance.prov.model.interop.Formats.ProvFormat;
import org.openprovenance.prov.validation.Config;
import org.openprovenance.prov.validation.ObjectMaker;
import org.openprovenance.prov.validation.Unknown;
import org.openprovenance.prov.validation.Validate;
import org.openprovenance.prov.validation.VarQName;
import org.openprovenance.prov.validation.report.ValidationReport;

public class Judge {
    public static void main(String[] names) {
        for (String name : names) {
            String said;
            try {
                Document document = read(name);
                said = verdict(document) + "\t" + count(document);
            } catch (Throwable fault) {
                said = "UNREADABLE " + String.valueOf(fault).replaceAll("\\s+", " ") + "\t0";
            }
            System.out.println(name + "\t" + said);
        }
    }

    static Document read(String name) throws Exception {
        ProvFormat format =
            name.endsWith(".jsonld") ? ProvFormat.JSONLD : name.endsWith(".json") ? ProvFormat.JSON : ProvFormat.PROVN;
        try (InputStream in = new FileInputStream(name)) {
            return new InteropFramework().readDocument(in, format);
        }
    }

    static String verdict(Document document) throws Exception {
        List<String> faults = new ArrayList<>();
        Config config = Config.newYesToAllConfig(InteropFramework.getDefaultFactory(), new Maker());
        add(new Validate(config).validate(document), faults);
        return faults.isEmpty() ? "VALID" : String.join(" ", faults);
    }

    static void add(ValidationReport report, List<String> faults) {
        if (report == null) return;
        if (!report.getCycle().isEmpty()) faults.add("CYCLE");
        if (!report.getFailedMerge().isEmpty()) faults.add("MERGE");
        if (!report.getQualifiedNameMismatch().isEmpty()) faults.add("NAME");
        if (report.getSpecializationReport() != null) faults.add("SPECIALIZATION");
        if (!report.getTypeOverlap().isEmpty()) faults.add("TYPE");
        if (report.getMalformedStatements() != null) faults.add("MALFORMED");
        for (ValidationReport ofBundle : report.getValidationReport()) add(ofBundle, faults);
    }

    static int count(Document document) {
        int records = 0;
        for (StatementOrBundle one : document.getStatementOrBundle()) {
            records += one instanceof Bundle bundle ? bundle.getStatement().size() : 1;
        }
        return records;
    }

    // The validator's variables are names that it makes up.
    static class Variable extends org.openprovenance.prov.vanilla.QualifiedName implements VarQName {
        Variable(String namespace, String local, String prefix) {
            super(namespace, local, prefix);
        }
    }

    static class Nobody extends org.openprovenance.prov.vanilla.QualifiedName implements Unknown {
        Nobody(String namespace, String local) {
            super(namespace, local, null);
        }
    }

    static class Maker implements ObjectMaker {
        public VarQName makeVarQName(String namespace, String local, String prefix) {
            return new Variable(namespace, local, prefix);
        }

        public VarQName makeVarQName(QualifiedName name) {
            return new Variable(name.getNamespaceURI(), name.getLocalPart(), name.getPrefix());
        }

        public Unknown makeUnknown(String namespace, String local) {
            return new Nobody(namespace, local);
        }
    }
}
